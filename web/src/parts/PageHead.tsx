import { Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './PageHead.module.css'
import { usePageTitle } from './page-title.ts'

/** The page's heading, what the page is for, and its main action. */
export function PageHead({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  usePageTitle(title)
  const heading = useRef<HTMLHeadingElement>(null)
  // After navigating, focus belongs on the new page, not on the link that led here.
  useEffect(() => {
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <header className={classes.head}>
      <div>
        <Title order={1} className={classes.title} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {children && <p className={classes.lead}>{children}</p>}
      </div>
      {action}
    </header>
  )
}

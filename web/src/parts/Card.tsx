import { Title } from '@mantine/core'
import { type ReactNode, type Ref, useId } from 'react'
import classes from './Card.module.css'

type CardProps = {
  title: string
  description?: ReactNode
  aside?: ReactNode
  children: ReactNode
  /** For moving focus here. */
  headingRef?: Ref<HTMLHeadingElement>
}

/** A section of a page with its own heading. */
export function Card({ title, description, aside, children, headingRef }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <Title order={2} id={id} className={classes.title} ref={headingRef} tabIndex={-1}>
            {title}
          </Title>
          {description && <p className={classes.description}>{description}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  )
}

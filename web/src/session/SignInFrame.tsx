import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { usePageTitle } from '../parts/page-title.ts'
import { Brand } from '../shell/Brand.tsx'
import classes from './SignIn.module.css'

/** The frame of every page for people who aren’t inside yet. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Brand />
        <Title order={1} className={classes.heading}>
          {title}
        </Title>
        {children}
      </div>
    </main>
  )
}

import { Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Card.module.css'

type CardProps = { title: string; description?: ReactNode; aside?: ReactNode; children: ReactNode }

/** A part of a page, with a heading of its own. */
export function Card({ title, description, aside, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <div>
          <Title order={2} id={id} className={classes.title}>
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

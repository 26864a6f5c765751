import { Loader } from '@mantine/core'
import classes from '../session/SignIn.module.css'

/** Until the service has said who is signed in. */
export function Pending() {
  return (
    <main className={classes.page}>
      <Loader aria-label="Loading" role="status" />
    </main>
  )
}

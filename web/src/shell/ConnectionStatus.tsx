import { useConnection } from '../connection.ts'
import { clockTime } from '../parts/times.ts'
import classes from './ConnectionStatus.module.css'

/** Says that what is on screen may be out of date. */
export function ConnectionStatus() {
  const { isConnected, lastResponseAt } = useConnection()
  return (
    <div role="status" className={classes.status}>
      {!isConnected && `Not connected${lastResponseAt === null ? '' : ` · last updated ${clockTime(lastResponseAt)}`}`}
    </div>
  )
}

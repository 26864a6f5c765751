import { connectToSupervisor } from '../../server/operations/processes/supervisor-link.ts'

/** A process that asks its supervisor for the metrics, and exits with 7 if it gets none. */
const link = connectToSupervisor({ metrics: null, onReplaced() {} })
link?.allMetrics().then(
  () => process.exit(0),
  () => process.exit(7),
)

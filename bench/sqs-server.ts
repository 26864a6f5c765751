/** An SQS server in a process of its own, so that its CPU time is not counted as ours. Any message asks for its counts. */
import { startUnreliableSqs } from '../faults/unreliable-sqs.ts'

const { environment, requests } = await startUnreliableSqs()
process.on('message', () => process.send?.({ requests: [...requests] }))
process.on('disconnect', () => process.exit())
process.send?.({ environment })

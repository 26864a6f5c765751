import { type Row, rounded, type Table } from './table.ts'

/** Measured on one small machine; all CPU costs in milliseconds. */
export type MeasuredCosts = {
  /** A result with a 2 kB image, from upload to delivery, service and database together. */
  result: number
  /** Of that, PostgreSQL. */
  resultInPostgres: number
  statementsPerResult: number
  /** One request to /v1, service and database together. */
  read: number
  write: number
  /** Checking an image of 2 kB and of 30 kB. */
  smallImageCheck: number
  imageCheck: number
  /** Sending an event with an image of 2 kB and of 30 kB that was checked before. */
  smallAttempt: number
  attempt: number
}

/** What the figures can't say. Change it here for another installation. */
const assumptions = {
  imageKilobytes: 30,
  /** The share of a day's results in its busiest hour. */
  busiestHour: 0.1,
  responseSeconds: 0.2,
  /** For each result: one invitation and one page of polling on /v1, one image and one result from the interview product. */
  writesPerResult: 1,
  readsPerResult: 1,
  /** The share of a processor that may be used, so that a process can die and a backlog can be worked off. */
  utilization: 0.6,
  kilobytesPerResult: 5,
  imageDays: 90,
  hangingShare: 0.01,
}

// The service's own limits.
const deliveriesPerProcess = 192
const connectionsPerProcess = 10
const deadlineSeconds = 5
const receives = 4
// SQS takes and hands out at most ten messages per request, and an empty request waits at most 20 seconds.
const messagesPerRequest = 10
const longPollSeconds = 20
// An idle worker also looks at the dead-letter queue.
const deadLetterSeconds = 60

const volumes = [1_000_000, 10_000_000, 100_000_000]

/** Rates, processes, connections, storage and queue requests for some numbers of results a day. */
export function capacityTable(costs: MeasuredCosts): Table {
  const models = volumes.map((results) => model(costs, results))
  const rows = Object.keys(models[0] ?? {}).map((name) => {
    const row: Row = { 'results a day': name }
    for (const [index, volume] of volumes.entries()) row[`${volume / 1_000_000} million`] = models[index]?.[name] ?? ''
    return row
  })
  return { title: 'What a number of results a day takes', rows }
}

function model(costs: MeasuredCosts, resultsPerDay: number): Record<string, number | string> {
  const { busiestHour, utilization, hangingShare, responseSeconds, imageKilobytes, imageDays } = assumptions
  const peak = (resultsPerDay * busiestHour) / 3_600
  const imageCost = costs.imageCheck - costs.smallImageCheck + costs.attempt - costs.smallAttempt
  const apiCost = assumptions.writesPerResult * costs.write + assumptions.readsPerResult * costs.read
  // PostgreSQL's share of an API request was not measured; a result's is taken for it.
  const inPostgres = costs.resultInPostgres + apiCost * (costs.resultInPostgres / costs.result)
  const inService = costs.result + apiCost + imageCost - inPostgres
  const cores = (milliseconds: number) => (peak * milliseconds) / 1_000 / utilization

  // A hanging endpoint takes every attempt to its deadline.
  const hangingResults = resultsPerDay * hangingShare
  const hangingSlots = peak * hangingShare * receives * deadlineSeconds
  const healthySlots = peak * (1 - hangingShare) * responseSeconds
  const withoutHanging = processesFor(cores(inService), peak * responseSeconds)
  const processes = processesFor(cores(inService), healthySlots + hangingSlots)
  const retryCost = peak * hangingShare * receives * costs.attempt

  const idleRequests = 86_400 / longPollSeconds + 86_400 / deadLetterSeconds
  const requests = (perEvent: number) => resultsPerDay * perEvent + processes * idleRequests
  return {
    'results a second: mean, in the busiest hour': `${count(resultsPerDay / 86_400)}, ${count(peak)}`,
    'requests a second in the busiest hour, /v1 and engine': count(
      peak * (2 + assumptions.writesPerResult + assumptions.readsPerResult),
    ),
    'cores for the service': count(cores(inService)),
    'cores for PostgreSQL': count(cores(inPostgres)),
    'statements a second for results': count(peak * costs.statementsPerResult),
    processes: count(processes),
    'connections to PostgreSQL': count(processes * connectionsPerProcess + 10),
    'results kept for a year': bytes(resultsPerDay * 365 * assumptions.kilobytesPerResult),
    [`images kept for ${imageDays} days`]: bytes((resultsPerDay * imageDays * imageKilobytes * 4) / 3),
    'outgoing, in the busiest hour': `${count((peak * imageKilobytes * 1.35 * 8) / 1_000)} Mbit/s`,
    'SQS requests a day: full batches, single messages': `${millions(requests(3 / messagesPerRequest))}, ${millions(requests(3))}`,
    '**1% of endpoints hang:** attempts a day': millions(hangingResults * receives),
    'deliveries that wait for them at once': count(hangingSlots),
    'their share of what all processes can have in progress': `${Math.ceil((100 * hangingSlots) / (processes * deliveriesPerProcess))}%`,
    'more processes than without': count(processes - withoutHanging),
    'more cores': count(retryCost / 1_000 / utilization),
    'dead letters a day, if it lasts': count(hangingResults),
    'more SQS requests a day, single messages': millions(hangingResults * (receives - 1) * 2),
  }
}

/** At least two, so that one can die. */
function processesFor(cores: number, deliveries: number): number {
  return Math.max(2, Math.ceil(cores), Math.ceil(deliveries / deliveriesPerProcess))
}

function count(value: number): string {
  return rounded(value, value < 1 ? 2 : value < 10 ? 1 : 0).toLocaleString('en')
}

function millions(value: number): string {
  return `${rounded(value / 1_000_000, value < 10_000_000 ? 2 : 0).toLocaleString('en')} M`
}

function bytes(kilobytes: number): string {
  const terabytes = kilobytes / 1e9
  return terabytes < 1 ? `${Math.round(terabytes * 1_000)} GB` : `${rounded(terabytes, 1).toLocaleString('en')} TB`
}

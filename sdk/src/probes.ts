import { forgeries } from './forgeries.ts'
import {
  adviceOnRefusal,
  isSuccess,
  type Judged,
  judgeAccepted,
  judgeRefused,
  type ProbeAnswer,
} from './probe-answers.ts'
import { imageOfSize, type SignedEvent, sampleEvent, sampleResultId, signedEvent } from './sample-event.ts'

/** One request to the receiver. The body is sent as it is, with POST. */
export type ProbeRequest = { headers: Record<string, string>; body: Uint8Array }

export type Send = (request: ProbeRequest) => Promise<ProbeAnswer>

export type Finding = {
  name: string
  title: string
  ok: boolean
  status: number | null
  milliseconds: number
  /** What was seen. */
  detail: string
  /** What to change. Null if nothing is wrong. */
  advice: string | null
  /** The receiver accepts no genuine event, so every other probe would fail for the same reason. */
  stops: boolean
}

export type ProbeContext = { send: Send; secret: string; now: () => Date }

export type Probe = {
  name: string
  title: string
  /** What a correct receiver does. */
  expects: string
  run(context: ProbeContext): Promise<Finding>
}

export const coreProbes: readonly Probe[] = [
  probe('valid', 'A signed event', 'Any 2xx, well within five seconds.', async (context) => {
    const first = judgeAccepted(await context.send(await sample(context)))
    if (!isSuccess(first.answer.status)) return { ...first, stops: true }
    if (!first.ok) return first
    const second = await context.send(await sample(context, { spelling: respelled }))
    if (second.status === 400 || isForgery(second.status)) {
      return {
        ok: false,
        answer: second,
        detail: `Accepted an event, but rejected the same event with different whitespace, numbers and escapes with ${second.status}.`,
        advice:
          'The receiver parses the body and serializes it again before it checks the signature. Compute the HMAC over the raw bytes, before any JSON parser touches them.',
      }
    }
    const judged = judgeAccepted(second)
    return judged.ok ? first : judged
  }),

  probe('wrong_signature', 'Forged signatures', '401 to each.', async (context) => {
    let last: Judged | null = null
    for (const { what, advice, forge } of forgeries) {
      const forged = await forge(await sample(context), context.secret, context.now())
      last = judgeRefused(await context.send(forged), what, advice)
      if (!last.ok) return last
    }
    return { ...(last ?? nothingSent()), detail: `Rejected all ${forgeries.length} forgeries.` }
  }),

  probe('old_timestamp', 'Old and future timestamps', '401 if t is more than five minutes off.', async (context) => {
    const old = await context.send(await sample(context, { secondsOff: -600 }))
    const judged = judgeRefused(old, 'an event signed ten minutes ago', compareTime)
    if (!judged.ok) return judged
    const future = await context.send(await sample(context, { secondsOff: 600 }))
    return judgeRefused(future, 'an event signed ten minutes in the future', compareTime)
  }),

  probe('repeated', 'The same event twice', '2xx both times, processed once.', async (context) => {
    const event = await sample(context)
    const first = judgeAccepted(await context.send(event))
    if (!first.ok) return first
    const again = await signedEvent(event.resultId, event.body, context.secret, context.now())
    const second = judgeAccepted(await context.send(again))
    if (second.ok) return { ...second, detail: `Answered both with 2xx. ${storedOnce(event.resultId)}` }
    const { status } = second.answer
    if (status === null) return second
    return {
      ...second,
      detail: `Accepted the first, but answered the repeat with ${status}.`,
      advice:
        status < 500
          ? 'Answer 2xx to a result you already have. A 4xx is final and marks the delivery as failed.'
          : 'Answer 2xx to a result you already have: look it up by resultId before storing it.',
    }
  }),

  probe('largest_body', 'The largest event (1.34 MB)', 'Any 2xx.', async (context) => {
    const judged = judgeAccepted(await context.send(await sample(context, { image: imageOfSize(1_000_000) })))
    const { status, error } = judged.answer
    // Many servers close the connection instead of answering 413.
    const mayBeLimit = status === null ? error?.startsWith('NETWORK') : status >= 400
    if (judged.ok || !mayBeLimit) return judged
    const accept =
      'Allow bodies of 2 MB in your framework and in every proxy in front of it: the image alone takes up to 1.34 MB.'
    return {
      ...judged,
      detail: `Answered an event with a 1,000,000-byte image with ${status ?? error}.`,
      advice: isForgery(status) ? `If it accepts small events, this one is cut off on the way. ${accept}` : accept,
    }
  }),
]

/** Probes that only the command line sends. */
export const furtherProbes: readonly Probe[] = [
  probe('unknown_fields', 'Unknown fields', 'Any 2xx. Fields may be added within /v1.', async (context) => {
    const judged = judgeAccepted(await context.send(await sample(context, { spelling: withNewFields })))
    const { status } = judged.answer
    if (judged.ok || status === null || isForgery(status)) return judged
    return { ...judged, advice: 'Ignore fields you do not know. Fields may be added within /v1.' }
  }),

  probe('content_type', 'Other content types', '2xx with a charset; never a 5xx.', async (context) => {
    const withCharset = await sample(context)
    withCharset.headers['content-type'] = 'application/json; charset=utf-8'
    const judged = judgeAccepted(await context.send(withCharset))
    if (!judged.ok) return { ...judged, detail: `With "application/json; charset=utf-8": ${judged.detail}` }

    const asText = await sample(context)
    asText.headers['content-type'] = 'text/plain'
    const answer = await context.send(asText)
    if (answer.status !== null && answer.status < 500) {
      return { ok: true, answer, detail: `Answered "text/plain" with ${answer.status}.`, advice: null }
    }
    return {
      ok: false,
      answer,
      detail: `Answered "text/plain" with ${answer.status ?? answer.error}.`,
      advice: 'Read the raw body whatever its content type, or answer 415. It must not crash the receiver.',
    }
  }),

  probe('concurrent', 'Five copies at once', '2xx to all, processed once.', async (context) => {
    const event = await sample(context)
    const answers = await Promise.all(Array.from({ length: 5 }, () => context.send(event)))
    const judged = answers.map(judgeAccepted)
    const failed = judged.find((one) => !one.ok)
    const [first = nothingSent()] = judged
    if (!failed) return { ...first, detail: `Answered all with 2xx. ${storedOnce(event.resultId)}` }
    if (answers.every(({ status }) => isForgery(status))) return failed
    return {
      ...failed,
      detail: `Answered five copies at once with ${answers.map(({ status, error }) => status ?? error).join(', ')}.`,
      advice:
        'Let a unique key on resultId decide in one step which copy is first, and answer 2xx to the others as well.',
    }
  }),
]

/** A probe for a sender that delivers the body slowly, in small chunks. */
export function slowBodyProbe(sendSlowly: Send): Probe {
  return probe('slow_body', 'A body that arrives slowly', 'Any 2xx. Read to the end of the body.', async (context) => {
    const answer = await sendSlowly(await sample(context))
    if (isSuccess(answer.status)) return { ok: true, answer, detail: `Answered with ${answer.status}.`, advice: null }
    return {
      ok: false,
      answer,
      detail: `Answered an event that arrived in chunks with ${answer.status ?? answer.error}.`,
      advice: 'Read every chunk of the body before you check the signature, and allow a few seconds for it.',
    }
  })
}

/** A probe for a receiver that reports how many times it processed a result. Null if it does not. */
export function processedOnceProbe(countOf: (resultId: string) => Promise<number | null>): Probe {
  return probe('processed_once', 'A repeated event is processed once', 'A count of 1.', async (context) => {
    const event = await sample(context)
    const first = judgeAccepted(await context.send(event))
    if (!first.ok) return first
    const answers = await Promise.all(Array.from({ length: 3 }, () => context.send(event)))
    const { answer } = answers.map(judgeAccepted).find((one) => !one.ok) ?? first
    const count = await countOf(event.resultId)
    if (count === 1) return { ok: true, answer, detail: 'Processed four copies once.', advice: null }
    if (count === null) {
      const advice = 'Answer GET at the count URL with a number and nothing else.'
      return { ok: false, answer, detail: 'The count URL returned no number.', advice }
    }
    return {
      ok: false,
      answer,
      detail: `Processed four copies of ${event.resultId} ${count} times.`,
      advice: 'Deduplicate by resultId: let a unique key on it decide in one step whether an event is new.',
    }
  })
}

const compareTime =
  'Compare t with your clock and answer 401 if they are more than five minutes apart in either direction. Otherwise a recorded request can be replayed forever.'

type Spelling = (event: ReturnType<typeof sampleEvent>) => string

async function sample(
  { secret, now }: ProbeContext,
  options: { spelling?: Spelling; secondsOff?: number; image?: Uint8Array } = {},
): Promise<SignedEvent> {
  const { spelling = (event) => JSON.stringify(event), secondsOff = 0, image } = options
  const resultId = sampleResultId()
  const body = new TextEncoder().encode(spelling(sampleEvent(resultId, now(), image)))
  return signedEvent(resultId, body, secret, new Date(now().getTime() + secondsOff * 1000))
}

/** The same event in JSON that no serializer would reproduce byte for byte. */
const respelled: Spelling = (event) =>
  JSON.stringify(event, null, 1)
    .replace('"technical_score": 82', '"technical_score" : 82.0')
    .replace('Listens.', 'Li\\u0073tens\\u002e')

const withNewFields: Spelling = (event) =>
  JSON.stringify({
    ...event,
    addedLater: { list: [1, null, 'two'] },
    candidate: { ...event.candidate, addedLater: true },
    result: { ...event.result, addedLater: null },
  })

/** Whether the receiver took the event for a forgery. If it does so with all of them, the first probe has found the cause. */
function isForgery(status: number | null): boolean {
  return status === 401 || status === 403
}

function storedOnce(resultId: string): string {
  return `Check on your side that ${resultId} was processed once. That cannot be seen from outside.`
}

function nothingSent(): Judged {
  const answer = { status: null, error: 'NETWORK: nothing was sent', milliseconds: 0 }
  return { ok: false, answer, detail: 'Nothing was sent.', advice: adviceOnRefusal(answer) }
}

function probe(name: string, title: string, expects: string, judge: (context: ProbeContext) => Promise<Judged>): Probe {
  return {
    name,
    title,
    expects,
    async run(context) {
      const { ok, answer, detail, advice, stops = false } = await judge(context)
      const milliseconds = Math.round(answer.milliseconds)
      return { name, title, ok, status: answer.status, milliseconds, detail, advice, stops }
    },
  }
}

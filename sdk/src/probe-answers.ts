/** What came back: a status, or none and why. `error` begins with a code such as TIMEOUT, TLS, DNS or NETWORK. */
export type ProbeAnswer = { status: number | null; error: string | null; milliseconds: number }

export type Judged = { ok: boolean; answer: ProbeAnswer; detail: string; advice: string | null }

/** Past this an answer is a fault although the service would wait for it: the next slow day takes it over five seconds. */
const slowMilliseconds = 2_000

/** A genuine event has to be accepted, and quickly. */
export function judgeAccepted(answer: ProbeAnswer): Judged {
  const { status, milliseconds } = answer
  if (status === null || status < 200 || status > 299) {
    return { ok: false, answer, detail: sayAnswer(answer), advice: adviceOnRefusal(answer) }
  }
  if (milliseconds <= slowMilliseconds) return { ok: true, answer, detail: `Answered with ${status}.`, advice: null }
  return {
    ok: false,
    answer,
    detail: `Answered with ${status}, but only after ${(milliseconds / 1000).toFixed(1)} seconds.`,
    advice:
      'Answer first and work afterwards: store or enqueue the event, answer 200, process it later. After five seconds the delivery counts as failed and is repeated.',
  }
}

/** A forged or outdated event has to be refused, and not by breaking. */
export function judgeRefused(answer: ProbeAnswer, what: string, advice: string): Judged {
  const { status } = answer
  if (status === 401) return { ok: true, answer, detail: `Refused ${what} with 401.`, advice: null }
  if (status === 400 || status === 403) {
    return {
      ok: true,
      answer,
      detail: `Refused ${what} with ${status}; 401 is what the contract asks for.`,
      advice: null,
    }
  }
  if (status !== null && status >= 200 && status < 300) {
    return { ok: false, answer, detail: `Accepted ${what} with ${status}.`, advice }
  }
  return {
    ok: false,
    answer,
    detail: `To ${what}: ${sayAnswer(answer)}`,
    advice: 'Answer 401 when the signature or its time is wrong, whatever else the request holds.',
  }
}

function sayAnswer({ status, error }: ProbeAnswer): string {
  return status === null ? `No answer: ${error ?? 'the connection ended'}.` : `Answered with ${status}.`
}

export function adviceOnRefusal({ status, error }: ProbeAnswer): string {
  if (status === null) {
    return error?.startsWith('TIMEOUT')
      ? 'Answer 2xx within five seconds: store or enqueue the event, answer 200, process it later.'
      : 'See that the receiver runs, that this address leads to it and that its certificate is valid.'
  }
  if (status >= 300 && status < 400) return 'Use the address it redirects to: redirects are not followed.'
  if (status >= 500) return 'The receiver broke: see its log. A 5xx is repeated, four times in all.'
  return adviceOnStatus[status] ?? 'Answer 2xx to a genuine event: a 4xx is final, the event is not sent again.'
}

const wrongSignature =
  'A genuine event was refused. Compute the HMAC over the raw bytes of the body, with the signing secret exactly as it was shown (no white space, not decoded), and see that your clock is right.'

const adviceOnStatus: Record<number, string> = {
  400: wrongSignature,
  401: wrongSignature,
  403: wrongSignature,
  404: 'See that the path of the address is the one your receiver listens on.',
  405: 'Let the receiver accept POST at this address.',
  413: 'Accept bodies of 2 MB in your framework and in every proxy before it.',
  415: 'Accept Content-Type: application/json.',
}

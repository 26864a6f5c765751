/** How a webhook is configured from some time on. Times are from the suite's own clock, which never jumps. */
export type Configuration = {
  url: string
  secret: string
  enabled: boolean
  /** When it was first requested, and when the service confirmed it; infinite until then. */
  requestedAt: number
  acknowledgedAt: number
}

export type Period = { from: number; to: number }

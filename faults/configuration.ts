/** How a webhook was configured from some moment on. Times are the suite's own, which nothing shifts. */
export type Configuration = {
  url: string
  secret: string
  enabled: boolean
  /** When it was first asked for, and when the service said that it is in force; infinite until then. */
  wantedAt: number
  acknowledgedAt: number
}

export type Period = { from: number; to: number }

/** Logged once per request; the terminal shows it in a form of its own. */
export const requestCompleted = 'request completed'

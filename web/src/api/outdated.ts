/** What the service may say to a page that does not know it has changed. */
const telling = new Set([400, 404, 405])

/** Whether an error may come from this page being older than the service: the service has another page by now. */
export async function isFromOldPage(status: number): Promise<boolean> {
  const script = document.querySelector('script[type=module]')?.getAttribute('src')
  if (!telling.has(status) || !script) return false
  const current = await fetch('/settings').then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  )
  return current !== null && !current.includes(script)
}

import type { Collection, Item, Parameter } from './postman.ts'

/**
 * The requests of the collection as a text that editors can send from: what VS Code's REST Client, the JetBrains
 * editors and Visual Studio have in common.
 */
export function requestFileOf({ info, item, variable }: Collection): string {
  const head = [
    `# ${info.name}`,
    '# Made from /openapi.json by `npm run generate`. Set your key, and the id that the first request answers.',
    '',
    ...variable.map(({ key, value }) => `@${key} = ${value || placeholders[key]}`),
  ]
  const requests = item.flatMap((folder) => folder.item.map(requestText))
  return `${[head.join('\n'), ...requests].join('\n\n')}\n`
}

const placeholders: Record<string, string> = { apiKey: 'service_live_…', templateId: 'tpl_…' }

function requestText({ name, request }: Item): string {
  const { method, url, header, body, description } = request
  const path = url.path.map((part) => filled(part, url.variable)).join('/')
  return [
    `### ${name}`,
    ...commented(description.content),
    ...url.query.flatMap(queryHint),
    `${method} {{baseUrl}}/${path}`,
    'X-Service-Api-Key: {{apiKey}}',
    ...header.map(({ key, value }) => `${key}: ${value}`),
    ...(body?.raw === undefined ? [] : ['', body.raw]),
  ].join('\n')
}

/** A part of the path as it is sent: `:id` stands for a parameter. */
function filled(part: string, parameters: Parameter[]): string {
  return parameters.find(({ key }) => part === `:${key}`)?.value ?? part
}

function queryHint({ key, description }: Parameter): string[] {
  return commented(`?${key}= ${description.content}`)
}

function commented(text: string): string[] {
  return text.split('\n').map((line) => `# ${line}`.trimEnd())
}

import { type ApiDocument, type SampleParameter, type SampleRequest, sampleRequests } from './sample-requests.ts'

/** The sample requests in the .http format of VS Code's REST Client, JetBrains IDEs and Visual Studio. */
export function requestFile(document: ApiDocument, apiUrl: string): string {
  const head = [
    `# ${document.info.title}`,
    '# Set apiKey, then set templateId to the ID that the first request returns.',
    '',
    `@baseUrl = ${apiUrl}`,
    '@apiKey = service_live_…',
    '@templateId = tpl_…',
  ]
  return `${[head.join('\n'), ...sampleRequests(document).map(requestText)].join('\n\n')}\n`
}

function requestText({ name, description, method, path, pathParameters, queryParameters, body }: SampleRequest) {
  return [
    `### ${name}`,
    ...commented(description),
    ...queryParameters.flatMap(({ name, description }) => commented(`?${name}= ${description}`)),
    `${method} {{baseUrl}}${filled(path, pathParameters)}`,
    'X-Service-Api-Key: {{apiKey}}',
    ...(body === null ? [] : ['Content-Type: application/json', '', body]),
  ].join('\n')
}

function filled(path: string, parameters: SampleParameter[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (part, name) => parameters.find((one) => one.name === name)?.example ?? part)
}

function commented(text: string): string[] {
  return text.split('\n').map((line) => `# ${line}`.trimEnd())
}

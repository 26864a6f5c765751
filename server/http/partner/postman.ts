import { type ApiDocument, type SampleRequest, sampleRequests, templateVariable } from './sample-requests.ts'

/** A Postman collection with one request per operation. */
export function postmanCollection(document: ApiDocument, apiUrl: string): object {
  const requests = sampleRequests(document)
  return {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-Service-Api-Key' },
        { key: 'value', value: '{{apiKey}}' },
        { key: 'in', value: 'header' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: apiUrl },
      { key: 'apiKey', value: '' },
      { key: templateVariable, value: '' },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: requests.filter(({ tag }) => tag === name).map(itemOf),
    })),
  }
}

function itemOf({ name, description, method, path, pathParameters, queryParameters, ...sample }: SampleRequest) {
  return {
    name,
    request: {
      method,
      description,
      url: {
        host: ['{{baseUrl}}'],
        path: path
          .slice(1)
          .replaceAll(/\{(\w+)\}/g, ':$1')
          .split('/'),
        query: queryParameters.map(({ name, description, example }) => ({
          key: name,
          value: example,
          description,
          disabled: true,
        })),
        variable: pathParameters.map(({ name, description, example }) => ({ key: name, value: example, description })),
      },
      header: sample.body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }],
      ...(sample.body !== null && {
        body: { mode: 'raw', raw: sample.body, options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
    ...(sample.operationId === 'createTemplate' && { event: [saveTemplateId] }),
  }
}

const saveTemplateId = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: [`pm.collectionVariables.set('${templateVariable}', pm.response.json().id)`],
  },
}

declare module 'openapi-to-postmanv2' {
  type Conversion =
    | { result: true; output: { type: 'collection'; data: import('./postman.ts').Collection }[] }
    | { result: false; reason: string }

  export function convertV2(
    input: { type: 'json'; data: object },
    options: Record<string, string | boolean>,
    done: (error: Error | null, conversion: Conversion) => void,
  ): void
}

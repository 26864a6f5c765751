import { Tabs } from '@mantine/core'
import { Card } from '../parts/Card.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { shell, typescript } from './snippets.ts'

export function HowToVerify() {
  return (
    <Card
      title="How to verify an event"
      description="Read the raw bytes before any JSON parser, check the signature and its age, answer 2xx, then do the work. Sort out repeats by the result id."
    >
      <Tabs defaultValue="typescript">
        <Tabs.List mb="sm">
          <Tabs.Tab value="typescript">TypeScript</Tabs.Tab>
          <Tabs.Tab value="shell">Shell</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="typescript">
          <CodeBlock label="With the SDK" text={typescript} />
        </Tabs.Panel>
        <Tabs.Panel value="shell">
          <CodeBlock label="With openssl" text={shell} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

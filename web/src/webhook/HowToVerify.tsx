import { Tabs } from '@mantine/core'
import { Card } from '../parts/Card.tsx'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { shell, typescript } from './snippets.ts'

export function HowToVerify() {
  return (
    <Card
      title="Verify events"
      description="Verify the signature and its age against the raw body before parsing it, respond with 2xx, then do the work. Deduplicate by result ID."
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

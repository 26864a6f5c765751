import { Tabs, Text } from '@mantine/core'
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
          <Text size="sm" c="dimmed" mb="sm">
            For checking a single event at the terminal. Don’t use it in a receiver: other users of the machine can see
            the secret while it runs, and the comparison is not in constant time.
          </Text>
          <CodeBlock label="With openssl" text={shell} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  )
}

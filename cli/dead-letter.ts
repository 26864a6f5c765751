import type { Command } from 'commander'
import { redrive } from '../server/webhooks/dead-letters.ts'
import { forScripts, readDelivery } from './delivery.ts'
import { CommandFault, leaf, type Run } from './program.ts'
import { table } from './table.ts'

export function deadLetterCommands(program: Command, run: Run): void {
  const deadLetter = program.command('dead-letter').description('jobs that were received four times without success')

  leaf(deadLetter, 'list', 'show them, newest first').action(() =>
    run(async ({ queue }) => {
      await queue.start()
      const data = await queue.deadLetters({ limit: 10_000 })
      const rows = data.map((letter) => [letter.id, letter.deliveryId, letter.organizationId ?? '-', letter.deadSince])
      return { json: { data }, text: table(['ID', 'DELIVERY', 'ORGANIZATION', 'SINCE'], rows) }
    }),
  )

  leaf(deadLetter, 'redrive', 'take one out and start its delivery over at once')
    .requiredOption('--id <id>', 'the dead letter')
    .action(({ id }: { id: string }) =>
      run(async ({ database, queue, clock }) => {
        await queue.start()
        const redriven = await redrive({ database, queue }, id, clock())
        if (redriven.outcome === 'not_found') throw new CommandFault(`There is no dead letter ${id}`)
        const { deliveryId } = redriven
        if (redriven.outcome === 'delivered') {
          throw new CommandFault(`Delivery ${deliveryId} has been delivered meanwhile; the dead letter is removed`)
        }
        const delivery = await readDelivery(database, deliveryId)
        return { json: forScripts(delivery), text: `${deliveryId} is PENDING again, with a new job` }
      }),
    )
}

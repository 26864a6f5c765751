import { Table, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryTable.module.css'
import { fullName } from './full-name.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { whyInShort } from './words.ts'

export function DeliveryTable({ rows, fresh }: { rows: DeliveryRow[]; fresh: Set<string> }) {
  const { id } = useOrganization()
  return (
    <div className={classes.frame}>
      <Table highlightOnHover className={classes.table}>
        <Table.Caption className={classes.caption}>
          <VisuallyHidden>Deliveries, newest first. The name of a candidate opens the delivery.</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Candidate</Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Template and result
            </Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col" className={classes.number}>
              Attempts
            </Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Opened
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} organizationId={id} isFresh={fresh.has(row.id)} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type RowProps = { row: DeliveryRow; organizationId: string; isFresh: boolean }

const Row = memo(function Row({ row, organizationId, isFresh }: RowProps) {
  const why = whyInShort(row)
  return (
    <Table.Tr className={classes.row} mod={{ fresh: isFresh }}>
      <Table.Td>
        <Link
          to="/$organizationId/deliveries/$deliveryId"
          params={{ organizationId, deliveryId: row.id }}
          search
          resetScroll={false}
          id={row.id}
          className={classes.name}
        >
          {fullName(row.candidate)}
        </Link>
        <span className={classes.soft}>{row.candidate.email}</span>
        <span className={classes.narrow}>
          {row.templateName} · <Moment time={row.createdAt} />
        </span>
      </Table.Td>
      <Table.Td className={classes.wide}>
        {row.templateName}
        <span className={classes.id}>{row.resultId}</span>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={row.status} />
        {why && <span className={classes.soft}>{why}</span>}
      </Table.Td>
      <Table.Td className={classes.number}>{row.attempts}</Table.Td>
      <Table.Td className={classes.wide}>
        <Moment time={row.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
})

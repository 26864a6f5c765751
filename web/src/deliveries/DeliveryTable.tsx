import { Table, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'
import { Moment } from '../parts/Moment.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryTable.module.css'
import { fullName } from './full-name.ts'
import { shortReason } from './labels.ts'
import { StatusBadge } from './StatusBadge.tsx'

export function DeliveryTable({ rows, fresh }: { rows: DeliveryRow[]; fresh: Set<string> }) {
  const { id } = useOrganization()
  return (
    <div className={classes.frame}>
      <Table highlightOnHover className={classes.table}>
        <Table.Caption className={classes.caption}>
          <VisuallyHidden>Deliveries, newest first. Select a candidate to open the delivery.</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Candidate</Table.Th>
            <Table.Th scope="col" className={classes.wide}>
              Template and result
            </Table.Th>
            <Table.Th scope="col" className={classes.status}>
              Status
            </Table.Th>
            <Table.Th scope="col" className={classes.number}>
              Attempts
            </Table.Th>
            <Table.Th scope="col" className={classes.created}>
              Created
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
  const reason = shortReason(row)
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
          title={fullName(row.candidate)}
        >
          {fullName(row.candidate)}
        </Link>
        <span className={classes.email} title={row.candidate.email}>
          {row.candidate.email}
        </span>
        <span className={classes.narrow}>
          <span className={classes.title}>{row.templateName}</span> <Moment time={row.createdAt} />
        </span>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <span className={classes.title} title={row.templateName}>
          {row.templateName}
        </span>
        <span className={classes.id} title={row.resultId}>
          {row.resultId}
        </span>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={row.status} />
        {reason && <span className={classes.dimmed}>{reason}</span>}
      </Table.Td>
      <Table.Td className={classes.number}>{row.attempts}</Table.Td>
      <Table.Td className={classes.created}>
        <Moment time={row.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
})

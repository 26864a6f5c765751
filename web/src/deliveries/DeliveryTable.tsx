import { Checkbox, Table, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'
import { Moment } from '../parts/Moment.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveryTable.module.css'
import { fullName } from './full-name.ts'
import { shortReason } from './labels.ts'
import { NextAttempt } from './NextAttempt.tsx'
import { StatusBadge } from './StatusBadge.tsx'
import { isRetryable, type Selection } from './selection.ts'

type DeliveryTableProps = { rows: DeliveryRow[]; fresh: Set<string>; selection: Selection | null }

export function DeliveryTable({ rows, fresh, selection }: DeliveryTableProps) {
  const { id } = useOrganization()
  const selected = new Set(selection?.ids)
  // A column only where there is something to select.
  const toggle = rows.some(isRetryable) ? selection?.toggle : undefined
  return (
    <div className={table.frame}>
      <Table highlightOnHover className={`${table.table} ${classes.table}`}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>Deliveries, newest first. Select a candidate to open the delivery.</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {toggle && (
              <Table.Th scope="col" className={classes.select}>
                <VisuallyHidden>Select</VisuallyHidden>
              </Table.Th>
            )}
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
            <Row
              key={row.id}
              row={row}
              organizationId={id}
              isFresh={fresh.has(row.id)}
              isSelected={selected.has(row.id)}
              onToggle={toggle}
            />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type RowProps = {
  row: DeliveryRow
  organizationId: string
  isFresh: boolean
  isSelected: boolean
  onToggle: ((id: string) => void) | undefined
}

const Row = memo(function Row({ row, organizationId, isFresh, isSelected, onToggle }: RowProps) {
  const reason = shortReason(row)
  return (
    <Table.Tr className={classes.row} mod={{ fresh: isFresh }}>
      {onToggle && (
        <Table.Td className={classes.select}>
          {isRetryable(row) && (
            <Checkbox
              className={classes.checkbox}
              size="xs"
              checked={isSelected}
              onChange={() => onToggle(row.id)}
              aria-label={`Select the delivery for ${fullName(row.candidate)}`}
            />
          )}
        </Table.Td>
      )}
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
          <bdi>{fullName(row.candidate)}</bdi>
        </Link>
        <span className={classes.email} title={row.candidate.email}>
          {row.candidate.email}
        </span>
        <span className={classes.narrow}>
          <bdi className={classes.title}>{row.templateName}</bdi> <Moment time={row.createdAt} />
        </span>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <span className={classes.title} title={row.templateName}>
          <bdi>{row.templateName}</bdi>
        </span>
        <span className={classes.id} title={row.resultId}>
          {row.resultId}
        </span>
      </Table.Td>
      <Table.Td>
        <StatusBadge status={row.status} />
        {reason && <span className={classes.dimmed}>{reason}</span>}
        {row.nextAttemptAt && (row.attempts > 0 || row.round > 1) && (
          <span className={classes.dimmed}>
            Next attempt <NextAttempt time={row.nextAttemptAt} />
          </span>
        )}
      </Table.Td>
      <Table.Td className={classes.number}>{row.totalAttempts}</Table.Td>
      <Table.Td className={classes.created}>
        <Moment time={row.createdAt} />
      </Table.Td>
    </Table.Tr>
  )
})

import { getRouteApi, Outlet } from '@tanstack/react-router'
import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'
import { deliveriesExport, isOffline } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { ExportButton } from '../parts/ExportButton.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveriesPage.module.css'
import { DeliveryList } from './DeliveryList.tsx'
import { FilterBar } from './FilterBar.tsx'
import { toQuery } from './filter.ts'
import { Health } from './Health.tsx'
import { PaceStatus } from './PaceStatus.tsx'
import { RetryAll } from './RetryAll.tsx'
import { RetryProgress } from './RetryProgress.tsx'
import { RetrySelected } from './RetrySelected.tsx'
import { useSelection } from './selection.ts'
import { useDeliveries } from './use-deliveries.ts'
import { WebhookOff } from './WebhookOff.tsx'

const noRows: DeliveryRow[] = []
const route = getRouteApi('/$organizationId/deliveries')

export function DeliveriesPage() {
  const { id, isAdmin } = useOrganization()
  const filter = route.useSearch()
  const { list, loadOlder } = useDeliveries(id, filter)
  const error = useLastingError(list)
  const selection = useSelection(list.data?.rows ?? noRows)

  return (
    <>
      <PageHead title="Deliveries">Every result sent, or about to be sent, to your webhook.</PageHead>
      {isAdmin && <WebhookOff />}
      <PaceStatus />
      <Health />
      <section className={classes.deliveries} aria-label="All deliveries">
        <FilterBar filter={filter} />
        <RetryProgress />
        <div className={classes.tools}>
          <p className={classes.note}>Live · newest first</p>
          <div className={classes.actions}>
            {selection.ids.length > 0 && <RetrySelected ids={selection.ids} onRetried={selection.clear} />}
            {selection.ids.length === 0 && <RetryAll filter={filter} />}
            <ExportButton href={deliveriesExport(id, toQuery(filter, Date.now()))} />
          </div>
        </div>
        <ErrorAlert error={list.data && isOffline(error) ? null : error} onRetry={() => void list.refetch()} />
        {(list.data || error === null) && (
          <DeliveryList
            filter={filter}
            list={list.data}
            isStale={list.isPlaceholderData}
            loadOlder={loadOlder}
            selection={isAdmin ? selection : null}
          />
        )}
      </section>
      <Outlet />
    </>
  )
}

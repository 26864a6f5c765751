import { getRouteApi, Outlet } from '@tanstack/react-router'
import { isOffline } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './DeliveriesPage.module.css'
import { DeliveryList } from './DeliveryList.tsx'
import { FilterBar } from './FilterBar.tsx'
import { Health } from './Health.tsx'
import { RetryAll } from './RetryAll.tsx'
import { RetryProgress } from './RetryProgress.tsx'
import { useDeliveries } from './use-deliveries.ts'
import { WebhookOff } from './WebhookOff.tsx'

const route = getRouteApi('/$organizationId/deliveries')

export function DeliveriesPage() {
  const { id, isAdmin } = useOrganization()
  const filter = route.useSearch()
  const { list, loadOlder } = useDeliveries(id, filter)

  return (
    <>
      <PageHead title="Deliveries">Every result sent, or about to be sent, to your webhook.</PageHead>
      {isAdmin && <WebhookOff />}
      <Health />
      <section className={classes.deliveries} aria-label="All deliveries">
        <FilterBar filter={filter} />
        <RetryProgress />
        <div className={classes.tools}>
          <p className={classes.note}>Live · newest first</p>
          <RetryAll filter={filter} />
        </div>
        <ErrorAlert
          error={list.data && isOffline(list.error) ? null : list.error}
          onRetry={() => void list.refetch()}
        />
        {(list.data || !list.isError) && (
          <DeliveryList filter={filter} list={list.data} isStale={list.isPlaceholderData} loadOlder={loadOlder} />
        )}
      </section>
      <Outlet />
    </>
  )
}

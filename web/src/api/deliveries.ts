import type {
  CurrentRetryRun,
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryHealth,
  DeliveryPage,
  DeliveryPayload,
  DeliveryRow,
  FailedCount,
  FailedFilter,
  HealthQuery,
  RetriedSelection,
  RetryRun,
} from '../../../server/http/settings/delivery-schemas.ts'
import { at, send } from './request.ts'

/** What was sent, and sending it again. */
export const deliveriesApi = {
  deliveries: (organizationId: string, query: DeliveriesQuery) =>
    send<DeliveryPage>('GET', at(organizationId, '/deliveries', query)),
  health: (organizationId: string, query: HealthQuery) =>
    send<DeliveryHealth>('GET', at(organizationId, '/deliveries/health', query)),
  delivery: (organizationId: string, deliveryId: string) =>
    send<DeliveryDetail>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}`)),
  payload: (organizationId: string, deliveryId: string) =>
    send<DeliveryPayload>('GET', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/payload`)),
  retry: (organizationId: string, deliveryId: string) =>
    send<DeliveryRow>('POST', at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/retries`)),
  retrySelected: (organizationId: string, ids: string[]) =>
    send<RetriedSelection>('POST', at(organizationId, '/deliveries/retries'), { ids }),
  failedCount: (organizationId: string, filter: FailedFilter) =>
    send<FailedCount>('GET', at(organizationId, '/deliveries/failed-count', filter)),
  startRetryRun: (organizationId: string, filter: FailedFilter) =>
    send<RetryRun>('POST', at(organizationId, '/retry-runs'), filter),
  currentRetryRun: (organizationId: string) => send<CurrentRetryRun>('GET', at(organizationId, '/retry-runs/current')),
}

export function deliveriesExport(organizationId: string, filter: FailedFilter & { status?: string }): string {
  return `/settings/api${at(organizationId, '/deliveries/export.csv', filter)}`
}

/** Where the browser downloads an event from. */
export function eventAddress(organizationId: string, deliveryId: string): string {
  return `/settings/api${at(organizationId, `/deliveries/${encodeURIComponent(deliveryId)}/event.json`)}`
}

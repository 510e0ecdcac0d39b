import { deviceCopy } from './copy.ts';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import type { DeviceCardProps } from './device-details.ts';

const words = deviceCopy.metadata;

/** The metadata of a device by key; objects as formatted JSON. */
export function MetadataCard({ details, error, onRetry }: DeviceCardProps) {
  const entries = Object.entries(details?.metadata ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Card isFlush title={words.title}>
      <ErrorBoundary isFlush error={error} onRetry={onRetry}>
        {entries.length === 0 ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {details === undefined ? words.loading : words.empty}
          </p>
        ) : (
          <Properties
            items={entries.map(([key, value]) => ({
              key,
              name: <span dir="ltr">{key}</span>,
              value: <JsonView value={value} />,
            }))}
          />
        )}
      </ErrorBoundary>
    </Card>
  );
}

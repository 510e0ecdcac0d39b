import type { Id, Output } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ErrorBoundary } from '../../../parts/ErrorBoundary.tsx';
import { Badge } from '../../../ui/badge/Badge.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { jsonText } from '../../../ui/text/json-text.ts';
import { JsonView } from '../../../ui/text/JsonView.tsx';
import { RelativeTime } from '../../../ui/time/RelativeTime.tsx';
import { devicePropertiesQuery } from '../queries.ts';
import { deviceCopy } from './copy.ts';
import { ShowMore } from './ShowMore.tsx';

type Property = Output<'devices_QueryDeviceProperties'>['properties'][string];

const words = deviceCopy.properties;
const shownAtFirst = 10;
/** Characters of a value, as JSON, beyond which a browser would be slow to show it. */
const longestShown = 20_000;

/** What the programs of a device and its operators have stored under names. */
export function PropertiesCard({ deviceId }: { deviceId: Id<'device'> }) {
  const [isExpanded, setIsExpanded] = useState(false);
  const { data, error, refetch } = useQuery(devicePropertiesQuery(deviceId));
  const properties = Object.values(data?.properties ?? {}).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  const shown = isExpanded ? properties : properties.slice(0, shownAtFirst);
  return (
    <Card isFlush title={words.title}>
      <ErrorBoundary isFlush error={data === undefined ? error : undefined} onRetry={() => void refetch()}>
        {properties.length === 0 ? (
          <p className="px-4.5 py-3.5 text-body text-ink3">
            {data === undefined ? words.loading : words.empty}
          </p>
        ) : (
          <Properties items={shown.map(itemOf)} />
        )}
        {properties.length > shownAtFirst && (
          <ShowMore
            hidden={properties.length - shown.length}
            isExpanded={isExpanded}
            onToggle={() => setIsExpanded(!isExpanded)}
          />
        )}
      </ErrorBoundary>
    </Card>
  );
}

function itemOf({ name, value, protected: isProtected, lastUpdated }: Property) {
  return {
    key: name,
    name: (
      <span className="flex flex-col items-start gap-1">
        <span dir="ltr">{name}</span>
        <RelativeTime at={lastUpdated} className="text-small" />
        {isProtected && <Badge tone="mute">{words.isProtected}</Badge>}
      </span>
    ),
    value: <PropertyValue value={value} />,
  };
}

function PropertyValue({ value }: { value: Property['value'] }) {
  const length = useMemo(() => jsonText(value).length, [value]);
  if (length <= longestShown) return <JsonView value={value} />;
  return <span className="text-ink3">{words.tooLong(formatSize(length))}</span>;
}

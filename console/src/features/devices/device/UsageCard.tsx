import type { Output } from '@corral/contract';
import { QuotaMeter, quotaState } from '../../../parts/QuotaMeter.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { Notice } from '../../../ui/layout/Notice.tsx';
import { Properties } from '../../../ui/layout/Properties.tsx';
import { formatSize } from '../../../ui/text/format-size.ts';
import { deviceCopy } from './copy.ts';

type Usage = NonNullable<Output<'devices_GetDeviceDetails'>['usage']>;

const words = deviceCopy.usage;
const plain = (n: number): string => n.toLocaleString('en');

/** What a device has stored, of how much it may, with a warning before a quota is reached. */
export function UsageCard({ usage }: { usage: Usage }) {
  const quotas = [
    { name: words.properties, used: usage.propertyBytes, max: usage.maxPropertyBytes, format: formatSize },
    { name: words.events, used: usage.eventsToday, max: usage.maxEventsPerDay, format: plain },
    {
      name: words.eventBytes,
      used: usage.eventBytesToday,
      max: usage.maxEventBytesPerDay,
      format: formatSize,
    },
  ];
  const state = quotaState(quotas);
  return (
    <Card title={words.title} isFlush>
      {state !== undefined && (
        <div className="p-4.5 pb-2">
          <Notice
            tone={state === 'full' ? 'danger' : 'warn'}
            title={state === 'full' ? words.fullTitle : words.nearTitle}
          >
            {words.text}
          </Notice>
        </div>
      )}
      <Properties
        items={quotas.map(({ name, ...quota }) => ({ name, value: <QuotaMeter label={name} {...quota} /> }))}
      />
    </Card>
  );
}

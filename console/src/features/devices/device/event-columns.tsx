import { type DeviceEvent, eventTime } from '@corral/contract';
import { deviceCopy } from './copy.ts';
import { EventTime } from './EventClock.tsx';
import { KeyValueBadges } from '../../../ui/badge/KeyValueBadges.tsx';
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx';
import type { DataColumn } from '../../../ui/table/data-table.ts';
import { jsonText } from '../../../ui/text/json-text.ts';
import { JsonView } from '../../../ui/text/JsonView.tsx';

const words = deviceCopy.events;

/** The columns of the events of a device. */
export const eventColumns = (): readonly DataColumn<DeviceEvent>[] => [
  {
    id: 'severity',
    header: words.severity,
    width: '7.5rem',
    tightWidth: '6.5rem',
    value: ({ severity }) => severity,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
    onPhone: 'badge',
  },
  {
    id: 'emittedAt',
    header: words.emittedAt,
    width: '7rem',
    value: (event) => new Date(eventTime(event)),
    cell: (event) => <EventTime event={event} />,
    onPhone: 'meta',
  },
  {
    id: 'message',
    header: words.message,
    isFilling: true,
    value: ({ body }) => (typeof body === 'string' ? body : jsonText(body)),
    cell: ({ body }) => <JsonView value={body} />,
    onPhone: 'title',
  },
  {
    id: 'category',
    header: words.category,
    width: '7.5rem',
    tightWidth: '6rem',
    value: ({ category }) => category,
    cell: ({ category }) => <span className="wrap-break-word text-ink2">{category}</span>,
    onPhone: 'meta',
  },
  {
    id: 'attributes',
    header: words.attributes,
    width: '17rem',
    tightWidth: '8.5rem',
    value: ({ attributes }) => jsonText(attributes),
    // In a short list it takes no room from the messages where no event has attributes.
    cell: ({ attributes }) =>
      isEmpty(attributes) ? null : (
        <div className="min-w-28">
          <KeyValueBadges data={attributes} />
        </div>
      ),
    phoneCell: ({ attributes }) => !isEmpty(attributes) && <KeyValueBadges data={attributes} />,
    onPhone: 'meta',
  },
];

function isEmpty(attributes: DeviceEvent['attributes']): boolean {
  return Object.keys(attributes).length === 0;
}

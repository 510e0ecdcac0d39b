import { uiCopy } from '../copy.ts';
import type { FieldLayout } from './field-layout.ts';
import { followClick } from '../action/follow-click.ts';

/** A group of devices in a field of dots: how many are in each state, and the list of its devices. */
export interface FieldGroup {
  readonly name: string;
  readonly devices: number;
  readonly connected: number;
  readonly disconnected: number;
  readonly waiting: number;
  readonly href: string;
  /** What it is in a sentence. */
  readonly summary: string;
}

const words = uiCopy.fieldOfDots;
const widthOfName = 7.3;
const widthOfCount = 6.4;
const maxTextWidth = 132;
const minTextWidth = 44;

const offText = ({ disconnected, waiting }: FieldGroup): string =>
  disconnected + waiting === 0 ? '' : words.off(disconnected + waiting);

/** About how wide the texts of a head are, in pixels at the usual size. */
export function textWidth(group: FieldGroup): number {
  const counts = `${group.devices.toLocaleString('en')} ${offText(group)}`.trim();
  const needed = Math.max(group.name.length * widthOfName, counts.length * widthOfCount);
  return Math.min(maxTextWidth, Math.max(minTextWidth, needed));
}

interface Props {
  readonly groups: readonly FieldGroup[];
  readonly onOpen: (href: string) => void;
}

/** The name and the counts above each group, as links for pointers: keys reach them by the picture, screen readers by the table. */
export function FieldHeads({
  groups,
  layout,
  headHeight,
  onOpen,
}: Props & { layout: FieldLayout; headHeight: number }) {
  return (
    <div aria-hidden>
      {groups.map((group, index) => {
        const placed = layout.groups[index];
        if (placed === undefined) return null;
        return (
          <a
            key={`${group.name} ${group.href}`}
            href={group.href}
            tabIndex={-1}
            title={group.name}
            onClick={(event) => followClick(event, () => onOpen(group.href))}
            className="group/head absolute flex flex-col overflow-hidden whitespace-nowrap"
            style={{ top: placed.y - headHeight, insetInlineStart: placed.x, width: placed.width }}
          >
            <span className="truncate text-label font-head text-ink group-hover/head:underline">
              {group.name}
            </span>
            <span className="tabular text-small text-ink2">
              {group.devices.toLocaleString('en')} <b className="font-head text-ink">{offText(group)}</b>
            </span>
          </a>
        );
      })}
    </div>
  );
}

/** The groups as a table, for screen readers; its links are out of the way of the Tab key. */
export function FieldTable({ label, groups, onOpen }: Props & { label: string }) {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {words.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ name, href, devices, connected, disconnected, waiting }) => (
            <tr key={`${name} ${href}`}>
              <th scope="row">
                <a href={href} tabIndex={-1} onClick={(event) => followClick(event, () => onOpen(href))}>
                  {name}
                </a>
              </th>
              {[devices, connected, disconnected, waiting].map((count, index) => (
                <td key={words.columns[index + 1]}>{count.toLocaleString('en')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { uiCopy } from '../copy.ts';

/** A bar of a stack: its parts from the baseline up, in the order of the layers; null where nothing is known. `name` says it in a table. */
export interface StackedBar {
  readonly name: string;
  readonly parts: readonly number[] | null;
}

/** A layer of all bars: its name, and the class of its fill. */
export interface StackLayer {
  readonly name: string;
  readonly className: string;
}

/** All numbers of a stack over time, for screen readers. */
export function StackTable({
  label,
  bars,
  layers,
}: {
  label: string;
  bars: readonly StackedBar[];
  layers: readonly StackLayer[];
}) {
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{uiCopy.chart.time}</th>
            {layers.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, parts }, bar) => (
            <tr key={bar}>
              <th scope="row">{name}</th>
              {layers.map((layer, index) => (
                <td key={layer.name}>{parts?.[index]?.toLocaleString('en') ?? uiCopy.chart.noRecord}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

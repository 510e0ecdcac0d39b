import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';

/** A table of a document; where it has little room, each row is a block whose cells have their headings beside them. */
export function MarkdownTable({
  table,
  inline,
}: {
  table: Tokens.Table;
  inline: (tokens: readonly Token[]) => ReactNode;
}) {
  const classes = table.header.length > 3 ? wide : narrow;
  const hasHeadings = table.header.some(({ text }) => text !== '');
  return (
    <div className="@container">
      <table
        className={`w-full border-collapse rounded-card border border-line bg-surface text-start ${classes.block}`}
      >
        <thead className={`border-b border-line bg-canvas/60 ${hasHeadings ? classes.head : 'hidden'}`}>
          <tr>
            {table.header.map((cell, index) =>
              cell.text === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col" className="px-3 py-2 text-start text-label text-ink3">
                  {inline(cell.tokens)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className={classes.block}>
          {table.rows.map((row, index) => (
            <tr key={index} className={`border-b border-line last:border-0 ${classes.row}`}>
              {row.map((cell, at) => (
                <td
                  key={at}
                  className={`px-3 py-2 align-top ${at === 0 ? 'wrap-break-word' : 'wrap-anywhere'} ${classes.cell}`}
                >
                  <span className={`me-2 text-label text-ink3 ${classes.label}`}>
                    {table.header[at]?.text}
                  </span>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Tables of more than three columns need more room for rows.
const narrow = {
  block: '@max-xl:block',
  head: '@max-xl:hidden',
  row: '@max-xl:flex @max-xl:flex-col @max-xl:py-2',
  cell: '@max-xl:py-0.5 @max-xl:wrap-anywhere',
  label: '@xl:hidden',
};
const wide = {
  block: '@max-4xl:block',
  head: '@max-4xl:hidden',
  row: '@max-4xl:flex @max-4xl:flex-col @max-4xl:py-2',
  cell: '@max-4xl:py-0.5 @max-4xl:wrap-anywhere',
  label: '@4xl:hidden',
};

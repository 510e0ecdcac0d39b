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
  const hasHeadings = table.header.some(({ text }) => text !== '');
  return (
    <div className="@container">
      <table
        className={`w-full border-collapse rounded-card border border-line bg-surface text-start ${cells} ${table.header.length > 3 ? wide : narrow}`}
      >
        <thead className={hasHeadings ? 'border-b border-line bg-canvas/60' : 'hidden'}>
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
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at}>
                  {cell.text !== '' && <b>{table.header[at]?.text}</b>}
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

// Cells are the most of a long page, so that they have no classes of their own.
const cells =
  '[&_td]:px-3 [&_td]:py-2 [&_td]:align-top [&_td]:wrap-anywhere [&_td:first-child]:wrap-break-word [&_b]:me-2 [&_b]:text-label [&_b]:text-ink3 [&_tbody>tr:not(:last-child)]:border-b [&_tr]:border-line';
// Tables of more than three columns need more room for rows.
const narrow =
  '@max-xl:block @max-xl:[&_thead]:hidden @max-xl:[&_tbody]:block @max-xl:[&_tr]:flex @max-xl:[&_tr]:flex-col @max-xl:[&_tr]:py-2 @max-xl:[&_td]:py-0.5! @max-xl:[&_td]:wrap-anywhere! @xl:[&_b]:hidden';
const wide =
  '@max-4xl:block @max-4xl:[&_thead]:hidden @max-4xl:[&_tbody]:block @max-4xl:[&_tr]:flex @max-4xl:[&_tr]:flex-col @max-4xl:[&_tr]:py-2 @max-4xl:[&_td]:py-0.5! @max-4xl:[&_td]:wrap-anywhere! @4xl:[&_b]:hidden';

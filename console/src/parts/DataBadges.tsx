import { partsCopy } from './copy.ts';
import { KeyValueBadges } from '../ui/badge/KeyValueBadges.tsx';
import { IdTag } from '../ui/text/IdTag.tsx';
import { idKindOf, type IdContext, pathOfId } from './id-path.ts';
import { IdLink } from './IdLink.tsx';

/** The data of a log entry or a command as key=value badges; its ids are tags that lead to what they name, or copy. */
export function DataBadges({
  context,
  omit,
  isBrief = false,
}: {
  context: IdContext;
  omit: string;
  isBrief?: boolean | undefined;
}) {
  return (
    <KeyValueBadges
      data={context.data}
      omit={[omit]}
      isBrief={isBrief}
      view={(text) =>
        idKindOf(text) === undefined ? undefined : (
          <LinkedId id={text} context={context} length={isBrief ? 5 : 18} isPlain={isBrief} />
        )
      }
    />
  );
}

/** An id as a tag that leads to what it names; one that has no page is copied. */
export function LinkedId({
  id,
  what = partsCopy.idWhat,
  context,
  length,
  isPlain = false,
}: {
  id: string;
  what?: string | undefined;
  context: IdContext;
  length: number;
  isPlain?: boolean | undefined;
}) {
  const path = pathOfId(id, context);
  return path === undefined ? (
    <IdTag value={id} what={what} length={length} isPlain={isPlain} />
  ) : (
    <IdLink id={id} what={what} path={path} length={length} />
  );
}

import { Menu as Base } from '@base-ui/react/menu';

/** A rule between groups of a menu. */
export function MenuSeparator() {
  return <Base.Separator className="mx-2.5 my-1 border-t border-line" />;
}

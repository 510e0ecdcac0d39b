import { Menu as Base } from '@base-ui/react/menu';

/** Rails between groups of a menu. */
export function MenuSeparator() {
  return <Base.Separator className="rails mx-2.5 my-1" />;
}

import { Menu as Base } from '@base-ui/react/menu';

/** A double rule between groups of a menu. */
export function MenuSeparator() {
  return <Base.Separator className="double-rule mx-2.5 my-1" />;
}

/** Nothing where others of its kind have something: a faint dash, which screen readers and copies of the text leave out. */
export function Dash() {
  return <span className="zero" />;
}

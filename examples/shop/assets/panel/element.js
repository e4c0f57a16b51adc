/**
 * Makes an element. Strings are inserted as text, never as markup.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number | boolean | undefined>} [attributes] `true` sets one without a value;
 *   `false` and undefined set none
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      made.setAttribute(attribute, value === true ? '' : String(value))
  }
  made.append(...children)
  return made
}

/** The build inserts the text of style sheets. */
declare module '*.css' {
  const text: string
  export default text
}

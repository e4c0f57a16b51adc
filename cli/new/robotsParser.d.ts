/** The package's own types describe a default export that Node does not see. */
declare module 'robots-parser/Robots.js' {
  export default class Robots {
    constructor(url: string, text: string)
    isAllowed(url: string, agent: string): boolean | undefined
    getSitemaps(): string[]
  }
}

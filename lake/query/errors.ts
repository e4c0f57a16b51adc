/** A query that cannot be parsed. Positions are offsets into the query, in UTF-16 code units. */
export class QueryParseError extends Error {
  readonly query: string
  readonly start: number
  readonly end: number

  constructor(description: string, query: string, start = 0, end = query.length) {
    super(description)
    this.query = query
    this.start = start
    this.end = end
  }
}

/** A query that was parsed but cannot be evaluated. The message is sent to the client. */
export class QueryError extends Error {}

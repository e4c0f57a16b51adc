// Written by `npm run typegen` from the schema and the queries. Change those, not this.

// Source: service/upstream/queries.ts
// Variable: siteQuery
// Query: {  "site": *[_type == "site" && publicId == $publicId] | order(select(_id == $served => 0, 1) asc, _createdAt asc, _id asc)[0]{    _id,    _rev,    publicId,    enabled,    pollInterval,    askBefore,    reportCalls,    reportAfterConsent,    "tools": *[_type == "tool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){      _id, _rev, name, title, description, pathPattern, inputSchema, outputSchema, executeJs, exposedTo, annotations, action, request, reading, link, offeredWhile, texts    },    "formTools": *[_type == "formTool" && site._ref == ^._id && enabled == true] | order(name asc, _id asc){      _id, _rev, name, description, pagePath, selector, autosubmit, fields, offeredWhile, texts    }  }}
export type SiteQueryResult = {
  site: {
    _id: string;
    _rev: string;
    publicId: string | null;
    enabled: boolean | null;
    pollInterval: number | null;
    askBefore: "changes" | "consequential" | "never" | null;
    reportCalls: boolean | null;
    reportAfterConsent: boolean | null;
    tools: Array<{
      _id: string;
      _rev: string;
      name: string | null;
      title: string | null;
      description: string | null;
      pathPattern: string | null;
      inputSchema: string | null;
      outputSchema: string | null;
      executeJs: string | null;
      exposedTo: Array<string> | null;
      annotations: {
        readOnlyHint?: "auto" | "false" | "true";
        consequentialHint?: "auto" | "false" | "true";
        untrustedContentHint?: "auto" | "false" | "true";
        debugging?: boolean;
      } | null;
      action: "link" | "reading" | "request" | "script" | null;
      request: {
        method?: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
        address?: string;
        headers?: Array<{
          name?: string;
          parameter?: string;
          value?: string;
          format?: "json" | "text";
          selector?: string;
          attribute?: string;
          cookie?: string;
          inside?: "json" | "query";
          member?: string;
          _type: "row";
          _key: string;
        }>;
        query?: Array<{
          name?: string;
          parameter?: string;
          value?: string;
          format?: "json" | "text";
          selector?: string;
          attribute?: string;
          cookie?: string;
          inside?: "json" | "query";
          member?: string;
          _type: "row";
          _key: string;
        }>;
        encoding?: "form" | "json" | "multipart";
        body?: Array<{
          name?: string;
          parameter?: string;
          value?: string;
          format?: "json" | "text";
          selector?: string;
          attribute?: string;
          cookie?: string;
          inside?: "json" | "query";
          member?: string;
          _type: "row";
          _key: string;
        }>;
        result?: {
          kind?: "list" | "message" | "object" | "parts" | "text";
          path?: string;
          members?: Array<{
            path?: string;
            name?: string;
            _type: "member";
            _key: string;
          }>;
          parts?: Array<{
            name?: string;
            selector?: string;
            kind?: "attribute" | "definitions" | "items" | "links" | "list" | "table" | "text";
            attribute?: string;
            columns?: Array<string>;
            fields?: Array<{
              name?: string;
              selector?: string;
              kind?: "address" | "attribute" | "text";
              attribute?: string;
              _type: "field";
              _key: string;
            }>;
            limit?: number;
            _type: "part";
            _key: string;
          }>;
          pages?: number;
          limit?: number;
          message?: string;
        };
        error?: string;
        nothing?: string;
      } | null;
      reading: {
        parts?: Array<{
          name?: string;
          selector?: string;
          kind?: "attribute" | "definitions" | "items" | "links" | "list" | "table" | "text";
          attribute?: string;
          columns?: Array<string>;
          fields?: Array<{
            name?: string;
            selector?: string;
            kind?: "address" | "attribute" | "text";
            attribute?: string;
            _type: "field";
            _key: string;
          }>;
          limit?: number;
          _type: "part";
          _key: string;
        }>;
        pages?: number;
        nothing?: string;
      } | null;
      link: {
        address?: string;
      } | null;
      offeredWhile: {
        has?: Array<string>;
        hasNot?: Array<string>;
        from?: string;
        until?: string;
      } | null;
      texts: Array<{
        language?: string;
        title?: string;
        description?: string;
        parameters?: Array<{
          name?: string;
          description?: string;
          _type: "parameter";
          _key: string;
        }>;
        _type: "language";
        _key: string;
      }> | null;
    }>;
    formTools: Array<{
      _id: string;
      _rev: string;
      name: string | null;
      description: string | null;
      pagePath: string | null;
      selector: string | null;
      autosubmit: boolean | null;
      fields: Array<{
        name?: string;
        title?: string;
        description?: string;
        _type: "field";
        _key: string;
      }> | null;
      offeredWhile: {
        has?: Array<string>;
        hasNot?: Array<string>;
        from?: string;
        until?: string;
      } | null;
      texts: Array<{
        language?: string;
        title?: string;
        description?: string;
        parameters?: Array<{
          name?: string;
          description?: string;
          _type: "parameter";
          _key: string;
        }>;
        _type: "language";
        _key: string;
      }> | null;
    }>;
  } | null;
};

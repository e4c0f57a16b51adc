// Written by `npm run typegen` from the schema and the queries. Change those, not this.

export declare const internalGroqTypeReferenceTo: unique symbol;

export type SiteReference = {
  _ref: string;
  _type: "reference";
  _weak?: boolean;
  [internalGroqTypeReferenceTo]?: "site";
};

export type FormTool = {
  _id: string;
  _type: "formTool";
  _createdAt: string;
  _updatedAt: string;
  _rev: string;
  name?: string;
  description?: string;
  site?: SiteReference;
  enabled?: boolean;
  pagePath?: string;
  selector?: string;
  autosubmit?: boolean;
  fields?: Array<{
    name?: string;
    title?: string;
    description?: string;
    _type: "field";
    _key: string;
  }>;
};

export type Tool = {
  _id: string;
  _type: "tool";
  _createdAt: string;
  _updatedAt: string;
  _rev: string;
  name?: string;
  title?: string;
  description?: string;
  site?: SiteReference;
  enabled?: boolean;
  pathPattern?: string;
  exposedTo?: Array<string>;
  inputSchema?: string;
  executeJs?: string;
  outputSchema?: string;
  annotations?: {
    readOnlyHint?: "auto" | "true" | "false";
    consequentialHint?: "auto" | "true" | "false";
    untrustedContentHint?: "auto" | "true" | "false";
    debugging?: boolean;
  };
};

export type Site = {
  _id: string;
  _type: "site";
  _createdAt: string;
  _updatedAt: string;
  _rev: string;
  name?: string;
  enabled?: boolean;
  addresses?: Array<string>;
  publicId?: string;
  pollInterval?: number;
  review?: "none" | "scripts" | "all";
};

export type AllSanitySchemaTypes = SiteReference | FormTool | Tool | Site;

// Source: studio/structure/queries.ts
// Variable: siteNameQuery
// Query: *[_type == "site" && _id == $siteId][0].name
export type SiteNameQueryResult = string | null;

// Query TypeMap
declare global {
  interface SanityQueries {
    "*[_type == \"site\" && _id == $siteId][0].name": SiteNameQueryResult;
  }
}
// Lets @sanity/client releases that predate the global registry read it too
declare module "@sanity/client" {
  interface SanityQueries extends globalThis.SanityQueries {}
}

/** Links within a text must not differ from it by colour alone. */
export const UNDERLINED = {textDecoration: 'underline'} as const

import type {ComponentProps} from 'preact'

/** A link that hands something to Studio, which sees the page's origin: it asks before it saves what another website made. */
export function StudioLink(props: ComponentProps<'a'>) {
  return <a target="_blank" rel="noopener" referrerpolicy="origin" {...props} />
}

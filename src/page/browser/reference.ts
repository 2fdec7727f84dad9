import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/**
 * The reference of the API, made from its own description by Swagger UI: of the viewers that were tried (also RapiDoc and OpenAPI
 * Explorer), the only one that obeys the policy of the page. It is in a separate file, which is loaded when somebody opens the reference.
 */
export function showReference(place: HTMLElement, url: string): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.classList.toggle('dark-mode', isDark)
  SwaggerUI({ domNode: place, url, validatorUrl: 'none', docExpansion: 'none', deepLinking: false })
  new MutationObserver(() => nameControls(place)).observe(place, { subtree: true, childList: true })
}

/** The viewer gives lists no names, and some of its scrolling texts cannot be reached by keyboard. */
function nameControls(place: HTMLElement): void {
  for (const select of place.querySelectorAll('select:not([aria-label])')) {
    const row = select.closest('tr, label, .servers, .content-type-wrapper, .response-control-media-type')
    select.setAttribute(
      'aria-label',
      row?.querySelector('.parameter__name, small, .servers-title')?.textContent ?? 'value',
    )
  }
  for (const text of place.querySelectorAll('pre:not([tabindex])')) text.setAttribute('tabindex', '0')
}

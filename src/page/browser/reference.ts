import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'

/**
 * The reference of the API from its own description, in Swagger UI: of the viewers tried (RapiDoc and OpenAPI Explorer, too) the one
 * that obeys the policy of the page. It is a file of its own, which is loaded when somebody opens the reference.
 */
export function showReference(place: HTMLElement, url: string): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.classList.toggle('dark-mode', isDark)
  SwaggerUI({ domNode: place, url, validatorUrl: 'none', docExpansion: 'none', deepLinking: false })
  new MutationObserver(() => nameControls(place)).observe(place, { subtree: true, childList: true })
}

/** The viewer leaves lists without a name, and texts that scroll out of reach of the keyboard. */
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

declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUI(options: {
    readonly domNode: HTMLElement
    readonly url: string
    readonly validatorUrl: string
    readonly docExpansion: string
    readonly deepLinking: boolean
  }): void
}

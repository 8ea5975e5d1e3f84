import { Injectable } from '@nestjs/common';

/** The content of a message. */
export interface MessageContent {
  subject: string;
  html: string;
  text: string;
}

/** The result of rendering a template. */
export interface Rendered {
  templateId: string;
  templateVersion: number;
  /** Whether it is marketing, which people can unsubscribe from. */
  marketing: boolean;
  content: MessageContent;
}

/** Templates, as messages see them. The feature that owns them registers itself. */
export interface TemplateRenderer {
  /**
   * Renders the published version.
   *
   * @throws not_found_error if there is no such template; conflict_error if none of its versions is published;
   *   validation_error if the data lack a required value.
   */
  render(orgId: string, templateId: string, data: Record<string, unknown>): Promise<Rendered>;
}

@Injectable()
export class MessageTemplates {
  private renderer?: TemplateRenderer;

  register(renderer: TemplateRenderer): void {
    this.renderer = renderer;
  }

  render(orgId: string, templateId: string, data: Record<string, unknown>): Promise<Rendered> {
    if (!this.renderer) throw new Error('No feature has registered email templates');
    return this.renderer.render(orgId, templateId, data);
  }
}

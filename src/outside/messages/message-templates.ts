import { Injectable } from '@nestjs/common';

/** What a message says. */
export interface MessageContent {
  subject: string;
  html: string;
  text: string;
}

/** What a template made of some data. */
export interface Rendered {
  templateId: string;
  templateVersion: number;
  /** Whether it advertises: people may ask not to get it. */
  marketing: boolean;
  content: MessageContent;
}

/** Templates, as messages see them. The feature that has them registers itself. */
export interface TemplateRenderer {
  /**
   * The version that is published, filled in.
   *
   * @throws not_found_error for no such template; conflict_error where none of its versions is published; validation_error
   *   where the data lack a value that is required.
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

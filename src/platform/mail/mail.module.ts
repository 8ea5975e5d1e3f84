import { Module } from '@nestjs/common';
import { MailAuthors } from './mail-authors.js';
import { AccountMailSender, OrganizationMailSender } from './mail-lanes.js';
import { Sending } from './mail-sender.js';
import { MailService } from './mail.service.js';

@Module({
  providers: [AccountMailSender, MailAuthors, MailService, OrganizationMailSender, Sending],
  exports: [MailAuthors, MailService],
})
export class MailModule {}

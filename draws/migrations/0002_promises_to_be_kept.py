from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('draws', '0001_two_parties'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='commitment',
            index=models.Index(condition=models.Q(('master__isnull', True)), fields=['id'], name='draws_to_be_kept'),
        ),
    ]

"""Files are taken from people who are signed in; a stranger's are not even read."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload


class FromPeople(FileUploadHandler):
    def new_file(self, *args: Any, **named: Any) -> None:
        super().new_file(*args, **named)
        person = getattr(self.request, "user", None)
        if person is None or not person.is_authenticated:
            raise StopUpload(connection_reset=True)  # the rest is not read

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Who keeps it comes next."""

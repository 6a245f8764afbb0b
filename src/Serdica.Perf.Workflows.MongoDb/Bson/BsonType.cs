namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Types of BSON elements that the backend meets; numbers as in the specification at bsonspec.org.</summary>
public enum BsonType : byte
{
    Double = 0x01,
    String = 0x02,
    Document = 0x03,
    Array = 0x04,
    Binary = 0x05,
    ObjectId = 0x07,
    Boolean = 0x08,
    DateTime = 0x09,
    Null = 0x0A,
    Int32 = 0x10,
    Timestamp = 0x11,
    Int64 = 0x12,
    Decimal128 = 0x13,
}
